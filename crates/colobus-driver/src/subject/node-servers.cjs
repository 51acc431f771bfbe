// Loaded into every Node process of an application that Colobus starts. Settling looks at the timers of a server from outside
// (subject/watch), where those that Node sets by itself hide the application's own: one for each connection that is kept
// alive, and one that checks all connections twice a minute. Without them connections stay open until a browser closes them.
"use strict";
const { Server } = require("node:net");

const LONGEST_MS = 2 ** 31 - 1;
const listen = Server.prototype.listen;

Server.prototype.listen = function (...args) {
  if (typeof this.connectionsCheckingInterval === "number") this.connectionsCheckingInterval = LONGEST_MS;
  if (typeof this.keepAliveTimeout === "number") this.keepAliveTimeout = 0;
  return listen.apply(this, args);
};
