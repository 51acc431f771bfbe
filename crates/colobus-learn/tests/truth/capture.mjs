// Starts the servers that are named, uses them, and writes NAME.har: node capture.mjs NAME…, where the packages are.
// COLOBUS_PYTHON is the virtual environment with Jupyter Server.
import { writeFileSync } from "node:fs";
import { Recorder } from "./recorder.mjs";

for (const name of process.argv.slice(2)) {
  const { start, use } = await import(`./${name}.mjs`);
  const server = await start();
  const recorder = new Recorder(server.base);
  try {
    await use(recorder);
    writeFileSync(new URL(`${name}.har`, import.meta.url), recorder.har());
    console.log(`${name}: ${recorder.entries.length} exchanges`);
  } finally {
    await server.stop();
  }
}
process.exit(0);
