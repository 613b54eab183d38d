// Puts the palisade command and all that it imports into a few files: finding and linking two and a half thousand modules
// takes Node three quarters of a second, at each start of a program and of each worker of the proxy.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { licencesOf } from './licences.mjs'
import { root } from './set-up.mjs'

const folder = join(root, 'programs', 'palisade', 'bundle')
/** Of the packages of others that the bundle holds. */
const licences = 'LICENSES.txt'
const compiled = (workspace, file) => join(root, workspace, 'dist', file)

/**
 * `import … from 'node:fs'` has Node read every name that the module exports, and some of them load more: `WebSocket` of `node:http` Node's own
 * copy of undici, `webcrypto` of `node:crypto` another dozen modules. These modules give the names that are used, and read no others.
 */
const namesOfNode = {
  name: 'names-of-node',
  setup(build) {
    const namespace = 'names-of-node'
    build.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace, sideEffects: false } : undefined,
    )
    build.onLoad({ filter: /./, namespace }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter((name) => name !== 'default')
      const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ $named('${name}')`)
      const contents = `const $module = process.getBuiltinModule('${path}')\nexport default $module\nconst $named = (name) => $module[name]\n${lines.join('\n')}`
      return { contents }
    })
  },
}

const { outputFiles, metafile } = await build({
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
  metafile: true,
  bundle: true,
  // What is imported only when it is needed stays a file of its own.
  splitting: true,
  platform: 'node',
  target: 'node24',
  // Where a package has modules beside what is meant for require(), they are imported by their names, also when that is done late.
  mainFields: ['module', 'main'],
  format: 'esm',
  // What is shorter is read faster, at each start; names stay, for whoever reads a stack.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // Machine code, found beside the package that loads it; and what packages use where it happens to be installed.
  external: ['koffi', '@napi-rs/*', '@node-rs/*', 'pg-native', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
  plugins: [namesOfNode],
})

mkdirSync(folder, { recursive: true })
for (const { path, contents } of outputFiles) replace(path, contents)
const packages = Object.keys(metafile.inputs).flatMap(
  (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
)
replace(join(folder, licences), Buffer.from(licencesOf([...new Set(packages)])))
const outputNames = new Set([licences, 'console', ...outputFiles.map(({ path }) => basename(path))])

replaceConsole(join(root, 'clients', 'console', 'dist', 'site'), join(folder, 'console'))
for (const name of readdirSync(folder)) {
  if (!outputNames.has(name)) rmSync(join(folder, name))
}

/** The files of the console, and beside each what browsers get that take it compressed. Those that are there already are left alone. */
function replaceConsole(from, to) {
  const names = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
  for (const name of names) {
    const contents = readFileSync(join(from, name))
    const path = join(to, name)
    if (existsSync(`${path}.gz`) && readFileSync(path).equals(contents)) continue
    mkdirSync(dirname(path), { recursive: true })
    replace(`${path}.br`, brotliCompressSync(contents))
    replace(`${path}.gz`, gzipSync(contents, { level: 9 }))
    // Last: a build that was interrupted before this one does all three again.
    replace(path, contents)
  }
  const served = new Set(names.flatMap((name) => [name, `${name}.br`, `${name}.gz`]))
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !served.has(relative(to, path))) rmSync(path)
  }
}

/** A program that starts meanwhile finds the file as it was or as it will be. */
function replace(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  const partial = `${path}.partial`
  writeFileSync(partial, contents)
  renameSync(partial, path)
}
