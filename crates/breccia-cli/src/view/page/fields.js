// What is known about fields and kinds beyond their numbers.

const UNITS = {
  radius: "m", velocity: "m/s", spin: "rad/s", force: "N", torque: "N m", overlap: "m",
  normal_force: "N", tangential_force: "N", shear_force: "N", nodal_force: "N",
  normal_traction: "Pa", shear_traction: "Pa", twisting_moment: "N m", bending_moment: "N m",
  broken_at: "s", displacement: "m", stress: "Pa", von_mises: "Pa", pressure: "Pa", angle: "rad", speed: "m/s",
  mean_stress: "Pa", energy_density: "J/m³", strain_energy: "J", contact_force: "N",
};
const unitOfName = (name) => UNITS[name] ?? (/stress|traction|pressure|mises/.test(name) ? "Pa" : "");
/** Forces among grains of the plane are per metre of depth. */
export const unitOf = (name, perDepth) => (perDepth && unitOfName(name) === "N" ? "N/m" : unitOfName(name));

/** Fields whose numbers are names: shown in colours that differ, not on a scale. */
const CATEGORIES = new Set([
  "id", "id_a", "id_b", "material", "group", "clump", "fragment", "wall", "element", "patch", "kind", "broken",
  "b_is_wall", "grain", "body", "shape", "solid", "part",
]);
export const isCategory = (key) => CATEGORIES.has(key);

export const KINDS = {
  spheres: { title: "Spheres", draw: "spheres", colour: ["fragment_size", "velocity"], opacity: 1, map: "viridis" },
  grains: { title: "Grains", draw: "surface", colour: ["pressure", "velocity", "speed", "grain", "id"], opacity: 1, map: "viridis" },
  solids: { title: "Solids", draw: "surface", colour: ["von_mises", "stress", "velocity"], opacity: 1, map: "viridis" },
  bonds: { title: "Bonds", draw: "lines", colour: ["plain"], opacity: 1, map: "inferno" },
  contacts: { title: "Contacts", draw: "lines", colour: ["normal_force"], opacity: 1, map: "inferno" },
  meshes: { title: "Meshes", draw: "surface", colour: ["plain"], opacity: 0.3, map: "inferno" },
  walls: { title: "Walls", draw: "surface", colour: ["plain"], opacity: 0.1, map: "inferno" },
};

/** Field by which things of a kind can be hidden in groups, and where its names are. */
export const GROUPS = {
  spheres: [["group", "groups"], ["material", "materials"]],
  meshes: [["wall", "wall_names"]],
  walls: [["wall", "wall_names"]],
  bonds: [["broken", ["holding", "torn", "sheared"]]],
};

/** What things are known by from one frame to the next. */
export const KEYS = ["id", "grain", "body", "solid", "element", "wall"];
