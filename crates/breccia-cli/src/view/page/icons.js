// Icons as paths on a 24 × 24 field.
const PATHS = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M6 4.5h4v15H6zM14 4.5h4v15h-4z",
  back: "M5 5h2.5v14H5zM20 5v14L9 12z",
  forward: "M16.5 5H19v14h-2.5zM4 5v14l11-7z",
  fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z",
  camera: "M9 4h6l1.5 2.5H20a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5H4A1.500 1.500 0 0 1 2.500 18V8A1.500 1.500 0 0 1 4 6.500h3.500zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  film: "M3 5h18v14H3zm2 2v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zm12-8v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zM9 7v10h6V7z",
  chart: "M4 4h2v14h14v2H4zM8 15l4-5 3 3 4-6 1.600 1.100L15.200 16l-3-3L9.500 16.300z",
  theme: "M12 3a9 9 0 1 0 0 18zm0-1a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
  help: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm0 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1 11.500h2v2h-2zM12 6.500c2 0 3.500 1.300 3.500 3.100 0 1.400-.800 2.100-1.600 2.700-.700.500-.900.700-.900 1.400v.500h-2v-.700c0-1.500.900-2.200 1.700-2.800.600-.400.800-.600.800-1.100 0-.600-.600-1.100-1.500-1.100s-1.500.600-1.500 1.500h-2c0-2.100 1.500-3.500 3.500-3.500z",
  panel: "M3 6h11v2H3zm14-1.500h2V6h2v2h-2v1.500h-2zM3 11h4v2H3zm7-1.500h2V11h9v2h-9v1.500h-2zM3 16h9v2H3zm12-1.500h2V16h4v2h-4v1.500h-2z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill", "currentColor");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
