// Jupyter Server in an empty folder: files and folders, checkpoints, sessions, kernels, terminals, settings. `jupyter.truth` has
// the operations of its published description (api.yaml).
import { join } from "node:path";
import { started } from "./started.mjs";

export const start = () =>
  started((port, folder) => {
    const program = join(process.env.COLOBUS_PYTHON ?? "/usr", "bin/jupyter-server");
    const settings = { token: "", password: "", port, root_dir: folder, open_browser: false, allow_root: true, disable_check_xsrf: true };
    return [program, ...Object.entries(settings).map(([name, value]) => `--ServerApp.${name}=${typeof value === "boolean" ? (value ? "True" : "False") : value}`)];
  }, "/api/status");

const FOLDERS = ["", "plans/", "plans/2025/", "data/"];
const NAMES = ["notes.txt", "todo.md", "sums.csv", "letter.txt", "draft.md"];
const SECTIONS = ["notebook", "tree", "edit", "terminal"];

export const use = async (recorder) => {
  for (const folder of ["plans", "plans/2025", "data"]) await recorder.ask("PUT", `/api/contents/${folder}`, { type: "directory" });
  const path = () => recorder.pick(FOLDERS) + recorder.pick(NAMES);
  const text = (content) => ({ type: "file", format: "text", content });
  for (const folder of FOLDERS) for (const name of NAMES) await recorder.ask("PUT", `/api/contents/${folder}${name}`, text(`${name}\n`));
  const [terminals, kernels, sessions] = [[], [], []];
  const kinds = [
    () => recorder.ask("GET", "/api/"),
    () => recorder.ask("GET", "/api/status"),
    () => recorder.ask("GET", "/api/me"),
    () => recorder.ask("GET", "/api/kernelspecs"),
    () => recorder.ask("GET", `/api/contents/${path()}?content=1`),
    () => recorder.ask("GET", `/api/contents/${recorder.pick(["plans", "data", "plans/2025"])}?content=1`),
    () => recorder.ask("PUT", `/api/contents/${path()}`, text(`changed ${recorder.below(9)}\n`)),
    () => recorder.ask("POST", `/api/contents/${recorder.pick(["plans", "data"])}`, { type: "file", ext: ".txt" }),
    () => recorder.ask("GET", `/api/contents/${path()}/checkpoints`),
    () => recorder.ask("POST", `/api/contents/${path()}/checkpoints`),
    async () => {
      const [from, to] = [recorder.pick(FOLDERS) + recorder.pick(NAMES), `data/moved-${recorder.below(1e6)}.txt`];
      await recorder.ask("PATCH", `/api/contents/${from}`, { path: to });
      await recorder.ask("PUT", `/api/contents/${from}`, text("again\n"));
      await recorder.ask("DELETE", `/api/contents/${to}`);
    },
    () => recorder.ask("GET", `/api/config/${recorder.pick(SECTIONS)}`),
    () => recorder.ask("PATCH", `/api/config/${recorder.pick(SECTIONS)}`, { size: recorder.below(20) }),
    () => recorder.ask("GET", "/api/terminals"),
    async () => terminals.push((await recorder.ask("POST", "/api/terminals")).name),
    () => recorder.ask("GET", `/api/terminals/${recorder.pick(terminals)}`),
    () => terminals.length > 1 && recorder.ask("DELETE", `/api/terminals/${terminals.shift()}`),
    () => recorder.ask("GET", "/api/kernels"),
    async () => kernels.length < 2 && kernels.push((await recorder.ask("POST", "/api/kernels", { name: "python3" })).id),
    () => recorder.ask("GET", `/api/kernels/${recorder.pick(kernels)}`),
    () => recorder.ask("POST", `/api/kernels/${recorder.pick(kernels)}/interrupt`),
    () => kernels.length > 1 && recorder.ask("DELETE", `/api/kernels/${kernels.shift()}`),
    () => recorder.ask("GET", "/api/sessions"),
    async () => sessions.length < 2 && sessions.push((await recorder.ask("POST", "/api/sessions", { path: path(), type: "notebook", name: "", kernel: { name: "python3" } })).id),
    () => recorder.ask("GET", `/api/sessions/${recorder.pick(sessions)}`),
    () => recorder.ask("PATCH", `/api/sessions/${recorder.pick(sessions)}`, { path: path() }),
    () => sessions.length > 1 && recorder.ask("DELETE", `/api/sessions/${sessions.shift()}`),
  ];
  for (let round = 0; round < 8; round++) for (const kind of kinds) await kind();
};
