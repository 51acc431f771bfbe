// Loaded into every Node process of an application that Colobus starts. Settling looks at the timers of a server from outside
// (subject/watch), where those that Node sets by itself hide the application's own: one for each connection that is kept
// alive, one that checks all connections twice a minute, one that ends at every full second after an answer, because the
// header `Date` is kept until then, and one of eight seconds that gives memory back. Without them connections stay open until a
// browser closes them, the date is made anew for every answer, and memory is given back when more is needed.
"use strict";
const { ServerResponse } = require("node:http");
const { Server } = require("node:net");
const { setFlagsFromString } = require("node:v8");

const LONGEST_MS = 2 ** 31 - 1;

// Earlier versions of Node complain of this option.
if (Number(process.versions.node.split(".")[0]) >= 20) setFlagsFromString(`--gc-memory-reducer-start-delay-ms=${LONGEST_MS}`);

const listen = Server.prototype.listen;

Server.prototype.listen = function (...args) {
  if (typeof this.connectionsCheckingInterval === "number") this.connectionsCheckingInterval = LONGEST_MS;
  if (typeof this.keepAliveTimeout === "number") this.keepAliveTimeout = 0;
  return listen.apply(this, args);
};

// Whether a response is to have a date.
const dated = new WeakMap();
const writeHead = ServerResponse.prototype.writeHead;

Object.defineProperty(ServerResponse.prototype, "sendDate", {
  configurable: true,
  get: () => false,
  set(value) {
    dated.set(this, Boolean(value));
  },
});

// Headers may be given as a list of names and values, or of pairs; the same name may be there twice.
const withDate = (list, date) => {
  const inPairs = Array.isArray(list[0]);
  const names = inPairs ? list.map(([name]) => name) : list.filter((_, index) => index % 2 === 0);
  if (names.some((name) => String(name).toLowerCase() === "date")) return list;
  return [...list, ...(inPairs ? [["Date", date]] : ["Date", date])];
};

ServerResponse.prototype.writeHead = function (...args) {
  if (dated.get(this) && !this.headersSent && !this.hasHeader("date")) {
    const date = new Date().toUTCString();
    const list = args.findIndex(Array.isArray);
    if (list === -1) this.setHeader("Date", date);
    else args[list] = withDate(args[list], date);
  }
  return writeHead.apply(this, args);
};
