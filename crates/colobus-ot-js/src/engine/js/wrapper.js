(function (exports, require, module, __filename, __dirname) { /* BODY */
})
