// The operations that har-to-openapi learns from a HAR file, a line each: node har-to-openapi.mjs FILE, where the packages are.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(join(process.cwd(), "package.json"));
const folder = join(resolve("har-to-openapi/package.json"), "..");
const { generateSpec } = await import(pathToFileURL(join(folder, "dist/index.js")));
const har = JSON.parse(readFileSync(process.argv[2], "utf8"));
const options = { attemptToParameterizeUrl: true, forceAllRequestsInSameSpec: true, relaxedContentTypeJsonParse: true };
const { spec } = await generateSpec(har, options);
for (const [path, operations] of Object.entries(spec.paths)) {
  for (const method of Object.keys(operations)) {
    if (/^(get|put|post|delete|patch)$/.test(method)) console.log(`${method.toUpperCase()} ${path.split("?")[0]}`);
  }
}
