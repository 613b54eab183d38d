// Puts the palisade command and all that it imports into a few files: finding and linking two and a half thousand modules
// takes Node three quarters of a second, at each start of a program and of each worker of the proxy.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { root } from './set-up.mjs'

const folder = join(root, 'programs', 'palisade', 'bundle')
const compiled = (workspace, file) => join(root, workspace, 'dist', file)

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [
    compiled('programs/palisade', 'main.js'),
    // Threads begin with a file beside that of who starts them.
    compiled('programs/backup-agent', 'workers/chunk-worker.js'),
    compiled('libraries/vault', 'verify/verify-thread.js'),
    // And so does a program that another one starts.
    compiled('libraries/platform', 'database/check-program.js'),
  ],
  entryNames: '[name]',
  outdir: folder,
  write: false,
  bundle: true,
  // What is imported only when it is needed stays a file of its own.
  splitting: true,
  platform: 'node',
  target: 'node24',
  // Where a package has modules beside what is meant for require(), they are imported by their names, also when that is done late.
  mainFields: ['module', 'main'],
  format: 'esm',
  sourcemap: 'linked',
  sourcesContent: false,
  // Machine code, found beside the package that loads it; and what packages use where it happens to be installed.
  external: ['koffi', '@napi-rs/*', '@node-rs/*', 'pg-native', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
})

mkdirSync(folder, { recursive: true })
for (const { path, contents } of outputFiles) replace(path, contents)
const wanted = new Set(outputFiles.map(({ path }) => basename(path)))
for (const name of readdirSync(folder)) {
  if (!wanted.has(name)) rmSync(join(folder, name))
}

/** A program that starts meanwhile finds the file as it was or as it will be. */
function replace(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  const partial = `${path}.partial`
  writeFileSync(partial, contents)
  renameSync(partial, path)
}
