// What the configuration of the application says, filled in by the driver.
globalThis[Symbol.for("colobus")].settings = SETTINGS;
