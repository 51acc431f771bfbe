// Serves what it is told to until its input ends, and prints where: node serve.mjs NAME.
const { start } = await import(`./${process.argv[2]}.mjs`);
const server = await start();
console.log(server.base);
process.stdin.on("end", async () => {
  await server.stop();
  process.exit(0);
});
process.stdin.resume();
