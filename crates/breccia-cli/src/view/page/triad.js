const COLOURS = ["#d1495b", "#3f9b5f", "#3a7ca5"];

/** The directions x, y and z as the camera sees them. */
export function drawTriad(canvas, camera) {
  const context = canvas.getContext("2d");
  const { width } = canvas;
  const middle = width / 2, reach = width * 0.32;
  const [right, up] = camera.axes();
  const axes = [0, 1, 2].map((axis) => ({ axis, x: right[axis], y: up[axis], depth: camera.direction[axis] }));
  context.clearRect(0, 0, width, width);
  context.lineWidth = 5;
  context.lineCap = "round";
  context.font = "600 24px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { axis, x, y } of axes.sort((a, b) => a.depth - b.depth)) {
    // An axis seen from its end is only a point.
    if (Math.hypot(x, y) < 0.15) continue;
    context.strokeStyle = context.fillStyle = COLOURS[axis];
    context.beginPath();
    context.moveTo(middle, middle);
    context.lineTo(middle + reach * x, middle - reach * y);
    context.stroke();
    context.fillText("xyz"[axis], middle + 1.32 * reach * x, middle - 1.32 * reach * y);
  }
}
