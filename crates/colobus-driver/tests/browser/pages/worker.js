// Repeats over a socket whatever it is told; works as a worker, a module worker, a worker of a worker and a shared worker.
const address = (room) => `${location.origin.replace("http", "ws")}/socket?${room}`;
const repeat = ({ room, text }) =>
  new Promise((resolve) => {
    const socket = new WebSocket(address(room));
    socket.onopen = () => socket.send(text);
    socket.onmessage = ({ data }) => {
      socket.close();
      setTimeout(() => resolve(`${data} from ${self.constructor.name}`), 5);
    };
  });
const below = (message) =>
  new Promise((resolve) => {
    const worker = new Worker("/worker.js");
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(`${data} below`);
    };
    worker.postMessage({ ...message, nested: false });
  });
const answer = async (port, message) => port.postMessage(await (message.nested ? below(message) : repeat(message)));
self.onmessage = ({ data }) => answer(self, data);
self.onconnect = ({ ports: [port] }) => (port.onmessage = ({ data }) => answer(port, data));
