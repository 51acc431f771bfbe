// Talks over sockets for its page, as a worker, a module worker, a worker of a worker or a shared worker: it repeats a text,
// or joins a room, tells what is said there, and says what it is told to.
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
let joined;
const join = (port, room) =>
  new Promise((resolve) => {
    joined = new WebSocket(address(room));
    joined.onopen = () => resolve("joined");
    joined.onmessage = ({ data }) => port.postMessage(data);
  });
const answer = async (port, message) => {
  if (message.say) joined.send(message.say);
  else if (message.join) port.postMessage(await join(port, message.join));
  else port.postMessage(await (message.nested ? below(message) : repeat(message)));
};
self.onmessage = ({ data }) => answer(self, data);
self.onconnect = ({ ports: [port] }) => (port.onmessage = ({ data }) => answer(port, data));
