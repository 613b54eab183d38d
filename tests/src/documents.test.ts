import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

/** What other tests build anew meanwhile is none of the documents. */
const notOurs = ['**/node_modules', '**/dist', '**/bundle']
const documents = globSync(['*.md', '*/**/*.md'], { cwd: root, exclude: notOurs })

/** The name by which links lead to a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsIn(document: string): Set<string> {
  const headings = readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.*)$/gm)
  return new Set(Array.from(headings, ([, heading = '']) => anchorOf(heading)))
}

test('every link in a document leads to a file that is there, and to a heading in it', () => {
  let links = 0
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? document : normalize(join(dirname(document), path))
      assert.ok(existsSync(join(root, target)), `${document}: ${link}`)
      if (anchor !== undefined) assert.ok(anchorsIn(target).has(anchor), `${document}: ${link}`)
      links++
    }
  }
  assert.ok(documents.length > 50 && links > 100, `${links} links in ${documents.length} documents`)
})

test('every source file that a document names is there', () => {
  const sources = globSync(['*/**/*.{ts,tsx,mjs}'], { cwd: root, exclude: notOurs })
  const endings = new Set(sources.flatMap((source) => endingsOf(source)))
  let names = 0
  for (const document of documents.filter((name) => name !== 'CHANGELOG.md')) {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '')
    for (const [, name = ''] of text.matchAll(/`(?:\.\/)?([\w@./-]+\.(?:ts|tsx|mjs))`/g)) {
      assert.ok(endings.has(normalize(name).replace(/^(\.\.\/)+/, '')), `${document}: ${name}`)
      names++
    }
  }
  assert.ok(names > 300, `${names} names`)
})

/** A path with fewer and fewer of its folders: documents name files from the folder that they are about. */
function endingsOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_part, index) => parts.slice(index).join('/'))
}

/** Their maps name what one looks for first. */
const selectiveMaps = ['clients/console', 'libraries/vault']

test('a README with a table of the files of its folder names them all', () => {
  let maps = 0
  for (const document of documents.filter((path) => /^[^/]+\/.*\/README\.md$/.test(path))) {
    const text = readFileSync(join(root, document), 'utf8')
    const folder = dirname(document)
    if (selectiveMaps.includes(folder)) continue
    if (!/^\| *(?:layer *\| *)?(?:file|folder|file or folder|where) *\|/m.test(text)) continue
    const sources = existsSync(join(root, folder, 'src')) ? join(folder, 'src') : folder
    const unnamed = readdirSync(join(root, sources), { withFileTypes: true })
      .filter((entry) => (entry.isDirectory() ? entry.name !== 'testing' : isMapped(entry.name)))
      .filter(({ name }) => !new RegExp(`\`${name}/?\``).test(text))
    assert.deepEqual(
      unnamed.map(({ name }) => name),
      [],
      document,
    )
    maps++
  }
  assert.ok(maps > 15, `${maps} maps`)
})

function isMapped(file: string): boolean {
  return /\.tsx?$/.test(file) && !/^(?:index|test-.*)\.ts$|\.(?:test|generated)\.tsx?$/.test(file)
}

test('the README of these tests has a line for each file', () => {
  const lines = readFileSync(join(root, 'tests/README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| \S.* \|$/gm)
  const files = globSync('**/*.test.ts', { cwd: join(root, 'tests/src') })
  assert.deepEqual(Array.from(lines, ([, file]) => file).sort(), files.sort())
})

/**
 * What the examples of a README take from around them; everything else that they call, the package has to have. Those of published
 * libraries take nothing: published-libraries.test.ts runs them.
 */
const examples = [
  {
    folder: 'vault',
    calls: ['sealedFromTheAgent', 'send', 'sendPatched', 'tellTheOther', 'async', 'testBackendConformance'],
    given: `
      import type * as entryPoint from '@palisade/vault'
      declare const vault: entryPoint.Vault
      declare const plaintext: Buffer, sealed: Buffer, into: Buffer, id: Buffer, keyId: string, keys: entryPoint.ChunkKeys
      declare const folder: string, keyFile: string, file: string, volume: string, domain: string, capacityBytes: number
      declare const passphrase: string, old: string, next: string, metadata: null, marking: Buffer
      declare const ids: entryPoint.ChunkList, backend: never, again: never, remove: never
      declare function sealedFromTheAgent(position: number): Buffer
      declare const packId: string
      declare function tellTheOther(packId: string): Promise<boolean>
      declare function send(chunks: object, bytes: Uint8Array): void
      declare const map: Uint8Array, table: Uint8Array, base: Uint8Array, patch: Uint8Array
      declare const session: entryPoint.BackupSession, reader: entryPoint.RevisionReader
      declare function sendPatched(chunks: readonly entryPoint.PatchedChunk[]): void`,
  },
]

test('the index of decisions and that of results have a line for each page', () => {
  for (const folder of ['docs/decisions', 'bench/results']) {
    const index = readFileSync(join(root, folder, 'README.md'), 'utf8')
    const pages = globSync('*.md', { cwd: join(root, folder) }).filter((name) => name !== 'README.md')
    assert.ok(pages.length > 1, folder)
    assert.deepEqual(
      pages.filter((page) => !index.includes(`](${page})`)),
      [],
      folder,
    )
  }
})

test('the examples in the READMEs of libraries agree with the types of what they call', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-examples-'))
  t.after(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const types = { typeRoots: [join(root, 'node_modules/@types')], types: ['node'] }
  const compilerOptions = { ...types, noEmit: true, noUnusedLocals: false, customConditions: ['source'] }
  const settings = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  let written = 0
  for (const { folder: name, calls, given } of examples) {
    const readme = readFileSync(join(root, 'libraries', name, 'README.md'), 'utf8')
    for (const [, example = ''] of readme.matchAll(/```ts\n(.*?)```/gs)) {
      const imports = example.match(/^import .*$/gm) ?? []
      const code = example.replaceAll(/^import .*$/gm, '')
      const called = Array.from(
        code.matchAll(/(?<![.\w])(?!for\b)(?:([A-Za-z]\w*)\(|([A-Z]\w*)\.)/g),
        ([, call, owner]) => call ?? owner ?? '',
      )
      const imported = [...new Set(called)].filter((call) => !calls.includes(call))
      const importLine = `import { ${imported.join(', ')} } from '@palisade/${name}'`
      const text = [importLine, ...imports, given, 'export async function example() {', code, '}'].join('\n')
      writeFileSync(join(folder, `${name}-${written++}.ts`), text)
    }
  }
  assert.ok(written >= 5)
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' })
  assert.equal(stdout, '')
})
