import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { InstalledLibrary } from './support/repository/installed-library.ts'
import { root } from './support/repository/root.ts'

/** What npm is given beside the archive, so that it needs no registry. */
const dependencies: Readonly<Record<string, readonly string[]>> = {
  seclang: ['saxes', 'xmlchars'],
  'virtual-disk': [],
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly [member: string]: unknown
}

for (const [library, needed] of Object.entries(dependencies)) {
  describe(`the package of ${library}`, () => {
    const published = new InstalledLibrary(library)
    const { project, folder: installed } = published
    let manifest: Manifest

    before(() => {
      published.install(needed)
      manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    })
    after(() => published.remove())

    test('has a licence, a reference, all files of its entry points, and nothing of this repository', () => {
      for (const file of ['LICENSE', 'README.md', 'API.md'])
        assert.ok(existsSync(join(installed, file)), file)
      const targets = Object.values(manifest.exports).flatMap((entryPoint) => Object.values(entryPoint))
      assert.ok(targets.length >= 4)
      for (const target of targets) assert.ok(existsSync(join(installed, target)), target)
      for (const member of ['private', 'devDependencies', 'repository'])
        assert.ok(!(member in manifest), member)
      const others = Object.keys({ ...Object(manifest.dependencies), ...Object(manifest.peerDependencies) })
      assert.deepEqual(
        others.filter((name) => name.startsWith('@palisade/')),
        [],
      )
      const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      assert.deepEqual(
        files.filter((file) => /\.test\.|(?:^|\/)testing(?:\/|$)|tsbuildinfo/.test(file)),
        [],
      )
      assert.ok(files.length > 100)
      for (const document of files.filter((file) => /^[^/]+\.md$/.test(file))) {
        const text = readFileSync(join(installed, document), 'utf8')
        const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
        for (const link of links) assert.ok(existsSync(join(installed, link)), `${document}: ${link}`)
      }
    })

    test('changes nothing of the process that imports it', () => {
      writeFileSync(join(project, 'import.mjs'), watchedImport(manifest.name))
      const { stdout, stderr } = published.run('import.mjs')
      assert.equal(stderr, '')
      const [before, afterwards] = JSON.parse(stdout)
      assert.deepEqual(afterwards, before)
    })

    test('runs the examples of its README, word for word, of which the compiler approves when it is strict', () => {
      const readme = readFileSync(join(installed, 'README.md'), 'utf8')
      const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, example = '']) => example)
      assert.ok(examples.length >= 5, `${examples.length} examples`)
      if (library === 'seclang') {
        // The adapter of libinjection is all that needs it.
        const adapter = published.run('-e', `import(${JSON.stringify(`${manifest.name}/libinjection`)})`)
        assert.match(adapter.stderr, /Cannot find package 'koffi'/)
        published.add([join(root, 'node_modules', 'koffi')])
      }
      for (const [at, example] of examples.entries())
        writeFileSync(join(project, `example-${at}.ts`), example)
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(strictly))
      const checked = published.run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.')
      assert.equal(checked.status, 0, checked.stdout)
      const outputs = examples.map((example, at) => {
        const { status, stdout, stderr } = published.run(`example-${at}.ts`)
        assert.equal(status, 0, `${stderr}\n${example}`)
        return stdout
      })
      if (library === 'seclang') assert.equal(outputs[0], '1 SQL in ARGS:comment ARGS:comment\ndeny 403\n')
      else
        assert.match(
          published.run(join('node_modules', '.bin', 'virtual-disk'), 'info', 'copy.vhd').stdout,
          /vhd/i,
        )
    })

    test('has a reference that is made of its declarations, in which every type is one that it exports', () => {
      const { status, stderr } = published.run(join(root, 'scripts', 'api-reference.mjs'), '--check', library)
      assert.equal(status, 0, stderr)
      const reference = readFileSync(join(installed, 'API.md'), 'utf8')
      const undescribed = [...reference.matchAll(/^### (\w+)\n\n```ts/gm)].map(([, name]) => name)
      assert.deepEqual(undescribed, [], 'exports without a doc comment')
    })
  })
}

/** A program that tells what of its process can be seen from outside, before it imports a package and afterwards. */
function watchedImport(name: string): string {
  return `
import { cachedDataVersionTag } from 'node:v8'
const seen = () => ({
  // Made of the version of V8 and of its flags.
  flags: cachedDataVersionTag(),
  listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  active: process.getActiveResourcesInfo(),
  environment: { ...process.env },
  globals: Object.getOwnPropertyNames(globalThis),
  prototypes: [Object, Array, String, RegExp, Map, Uint8Array, Promise].map((one) => Object.getOwnPropertyNames(one.prototype)),
  status: process.exitCode ?? 0,
})
// Both imports and writing need what Node loads when it is first used.
await import('node:fs')
const before = seen()
await import(${JSON.stringify(name)})
const afterwards = seen()
console.log(JSON.stringify([before, afterwards]))
`
}

/** As strict as the compiler is. */
const strictly = {
  compilerOptions: {
    target: 'es2024',
    lib: ['esnext'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ['example-*.ts'],
}
