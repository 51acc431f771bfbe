// A server that is a program of its own: started on a free port, in a folder of its own, until it is stopped.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT = 60_000;
const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

// `command` gets the port and the folder, and returns program and arguments; `ready` is a path that answers.
export const started = async (command, ready) => {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), "truth-"))];
  const [program, ...words] = await command(port, folder);
  const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (part) => (complaints += part));
  const failed = new Promise((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${program} ended with ${code}: ${complaints}`)));
  });
  failed.catch(() => {});
  const base = `http://127.0.0.1:${port}`;
  const end = Date.now() + LIMIT;
  const answers = async () => {
    while (!(await fetch(base + ready).then((answer) => answer.ok, () => false))) {
      if (Date.now() > end) throw new Error(`${program} does not answer: ${complaints}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  };
  await Promise.race([answers(), failed]);
  const stop = () =>
    new Promise((resolve) => {
      child.on("exit", () => {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
        resolve();
      });
      child.kill();
    });
  return { base, stop };
};
