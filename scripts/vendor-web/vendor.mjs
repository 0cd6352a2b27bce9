// Fetches the dashboard's third-party code from npm, at the versions of package-lock.json, which
// also has the hashes that npm checks, and writes internal/web/src/vendor: what
// the page imports, byte for byte as published, a map of the world, and manifest.json, which says
// what came from where.
//
//   node scripts/vendor-web/vendor.mjs
//
// Needs Node and npm. Run it after a change of package.json (npm --prefix scripts/vendor-web
// install <package>@<version>), and review the difference.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = join(here, "../../internal/web/src/vendor");

// The page's bare imports, and the package's file for each.
const modules = [
  { import: "preact", package: "preact", file: "dist/preact.mjs" },
  { import: "preact/hooks", package: "preact", file: "hooks/dist/hooks.mjs" },
  { import: "htm", package: "htm", file: "dist/htm.mjs" },
  { import: "lean-qr", package: "lean-qr", file: "index.mjs" },
  { import: "client-zip", package: "client-zip", file: "index.js" },
];

execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
  cwd: here,
  stdio: ["ignore", "ignore", "inherit"],
});
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8")).packages;
const read = (name, file) => readFileSync(join(here, "node_modules", name, file));

rmSync(vendor, { recursive: true, force: true });
mkdirSync(vendor, { recursive: true });
const files = modules.map(({ import: specifier, package: name, file }) =>
  write(specifier, `${specifier.replace("/", "-")}.mjs`, read(name, file), [name]),
);
files.push(write("world", "world.mjs", await world(), ["world-atlas"]));
const used = [...new Set(files.flatMap((f) => f.packages))].sort();
writeFileSync(
  join(vendor, "manifest.json"),
  JSON.stringify(
    {
      about:
        "Written by scripts/vendor-web/vendor.mjs. The integrity of a package is npm's; that of " +
        "a file is of its bytes here.",
      packages: used.map((name) => {
        const { version, integrity, license } = lock[`node_modules/${name}`];
        return { name, version, license, integrity };
      }),
      files,
    },
    null,
    2,
  ) + "\n",
);
for (const name of used) {
  const licence = name === "client-zip" ? "LICENSE.txt" : "LICENSE";
  writeFileSync(join(vendor, `LICENSE.${name}`), read(name, licence));
}

function write(specifier, file, bytes, packages) {
  writeFileSync(join(vendor, file), bytes);
  return {
    file,
    import: specifier,
    packages,
    integrity: "sha256-" + createHash("sha256").update(bytes).digest("base64"),
  };
}

// world draws each country once, so that the page needs neither the projection nor the topology: an
// SVG path by ISO 3166-1 code, in whole tenths of a pixel, each point relative to the previous one.
// Countries too small for the coarse map become a dot, at their place on the fine one.
async function world() {
  const require = createRequire(join(here, "package.json"));
  const { geoNaturalEarth1, geoPath, geoArea, geoCentroid } = await import("d3-geo");
  const { feature } = await import("topojson-client");
  const iso = require("i18n-iso-countries");
  // They have no number in the standard. Disputed areas get the codes that country data for
  // addresses uses.
  const unnumbered = { Kosovo: "XK", Somaliland: "SO", "N. Cyprus": "CY" };
  const shapes = (name) => {
    const topology = require(`world-atlas/${name}.json`);
    return feature(topology, topology.objects.countries)
      .features.map((f) => ({
        ...f,
        code: unnumbered[f.properties.name] ?? iso.numericToAlpha2(f.id),
      }))
      .filter((f) => f.code && f.code !== "AQ");
  };
  const coarse = shapes("countries-110m");
  const width = 960;
  const projection = geoNaturalEarth1()
    .rotate([-11, 0])
    .fitWidth(width, { type: "FeatureCollection", features: coarse });
  const path = geoPath(projection);
  const bounds = path.bounds({ type: "FeatureCollection", features: coarse });
  const [dx, dy] = projection.translate();
  projection.translate([dx - bounds[0][0], dy - bounds[0][1]]);
  const height = Math.ceil(bounds[1][1] - bounds[0][1]);

  const countries = {};
  for (const f of coarse) countries[f.code] = (countries[f.code] ?? "") + relative(path(f));
  for (const f of shapes("countries-50m")) {
    if (countries[f.code]) continue;
    // An archipelago's centre may be open sea, so use its largest island, where people look.
    const parts =
      f.geometry.type === "MultiPolygon"
        ? f.geometry.coordinates.map((coordinates) => ({ type: "Polygon", coordinates }))
        : [f.geometry];
    const largest = parts.reduce((a, b) => (geoArea(b) > geoArea(a) ? b : a));
    const [x, y] = projection(geoCentroid(largest)).map((v) => Math.round(v * 10));
    countries[f.code] = `m${x - 24} ${y}a24 24 0 1 0 48 0a24 24 0 1 0 -48 0z`;
  }
  const lines = Object.keys(countries)
    .sort()
    .map((code) => `${code}:${JSON.stringify(countries[code])},`);
  return (
    "// The world by country, made from Natural Earth's public domain data as packaged by " +
    "world-atlas.\n// Paths are in tenths of the view box's unit.\n" +
    `export const width = ${width};\nexport const height = ${height};\n` +
    `export const countries = {\n${lines.join("\n")}\n};\n`
  );
}

function relative(absolute) {
  let out = "",
    x = 0,
    y = 0;
  for (const ring of absolute.split("Z").filter(Boolean)) {
    const points = ring
      .slice(1)
      .split("L")
      .map((p) => p.split(",").map((v) => Math.round(v * 10)));
    const steps = [];
    points.forEach(([px, py], i) => {
      if (i > 0 && px === x && py === y) return;
      steps.push([px - x, py - y]);
      [x, y] = [px, py];
    });
    // pairs after the first are lines
    out += `m${steps.flat().join(" ").replaceAll(" -", "-")}z`;
    [x, y] = points[0];
  }
  return out;
}
