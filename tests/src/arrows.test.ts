import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

/** The dependency arrows: what each package may import of ours. ARCHITECTURE.md draws them. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'libraries/acme-challenges': [],
  'libraries/log': [],
  'libraries/private-files': [],
  'libraries/start-up': ['libraries/private-files'],
  'libraries/tracing': ['libraries/log'],
  'libraries/platform': [
    'libraries/acme-challenges',
    'libraries/log',
    'libraries/private-files',
    'libraries/start-up',
    'libraries/tracing',
  ],
  'libraries/vault': ['libraries/private-files'],
  'libraries/seclang': [],
  'protocols/proxy-protocol': ['libraries/seclang'],
  'libraries/virtual-disk': [],
  'protocols/agent-protocol': [],
  'services/administration': ['libraries/platform', 'libraries/private-files', 'protocols/proxy-protocol'],
  'services/awareness': ['libraries/platform'],
  'services/backup': [
    'libraries/platform',
    'libraries/private-files',
    'libraries/start-up',
    'protocols/agent-protocol',
    'libraries/vault',
  ],
  'services/email': ['libraries/platform'],
  'services/firewall': [
    'libraries/acme-challenges',
    'libraries/platform',
    'libraries/private-files',
    'libraries/start-up',
    'protocols/proxy-protocol',
  ],
  'programs/server': [
    'libraries/acme-challenges',
    'libraries/log',
    'libraries/start-up',
    'libraries/platform',
    'libraries/private-files',
    'libraries/tracing',
    'services/administration',
    'services/awareness',
    'services/backup',
    'services/email',
    'services/firewall',
  ],
  'programs/backup-agent': [
    'protocols/agent-protocol',
    'libraries/log',
    'libraries/private-files',
    'libraries/start-up',
    'libraries/tracing',
    'libraries/vault',
    'libraries/virtual-disk',
  ],
  'programs/firewall-proxy': [
    'libraries/acme-challenges',
    'libraries/log',
    'libraries/private-files',
    'libraries/start-up',
    'libraries/tracing',
    'protocols/proxy-protocol',
    'libraries/seclang',
  ],
  'programs/palisade': [
    'programs/server',
    'programs/backup-agent',
    'programs/firewall-proxy',
    'clients/cli',
    'libraries/start-up',
  ],
  'clients/contract': [],
  'clients/sdk': [],
  'clients/cli': ['clients/sdk'],
  'clients/console': ['clients/sdk'],
  // The tour also reads the disk that it gets back.
  'clients/tour': ['clients/sdk', 'libraries/virtual-disk'],
  'tools/contract': [],
  tests: [],
  bench: ['libraries/platform', 'tests'],
}

/** What tests of a package may import of ours beside that; those of whole programs, in `tests`, import what they like. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  // What services let operators administer is tested over the HTTP of the administration.
  'services/awareness': ['services/administration'],
  'services/backup': ['services/administration'],
  'services/email': ['services/administration'],
}

interface Package {
  readonly folder: string
  readonly name: string
  readonly dependencies: readonly string[]
  readonly developmentDependencies: readonly string[]
}

const packages: Package[] = globSync(
  ['{libraries,protocols,services,programs,clients,tools}/*/package.json', '{tests,bench}/package.json'],
  {
    cwd: root,
  },
).map((file) => {
  const {
    name,
    dependencies = {},
    peerDependencies = {},
    devDependencies = {},
  } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  return {
    folder: dirname(file),
    name,
    dependencies: Object.keys({ ...dependencies, ...peerDependencies }),
    developmentDependencies: Object.keys(devDependencies),
  }
})
const folderOf = new Map(packages.map(({ name, folder }) => [name, folder]))
const rootDevelopmentDependencies = Object.keys(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies,
)

/** Names of the packages that a source file imports, Node's own left out. */
function importedPackages(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const statements = /^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm
  const specifiers = [...source.matchAll(statements)].map(
    ([, from, bare, called]) => from ?? bare ?? called ?? '',
  )
  return specifiers
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
}

test('every package is drawn in the table of arrows', () => {
  assert.deepEqual(packages.map(({ folder }) => folder).sort(), Object.keys(mayImport).sort())
})

test('no package depends on another against the arrows', () => {
  for (const { folder, dependencies, developmentDependencies } of packages) {
    for (const [names, allowed] of [
      [dependencies, mayImport[folder] ?? []],
      [folder === 'tests' ? [] : developmentDependencies, testsMayImport[folder] ?? []],
    ] as const) {
      const ours = names.flatMap((name) => folderOf.get(name) ?? [])
      assert.deepEqual(
        ours.filter((other) => !allowed.includes(other)),
        [],
        `${folder}/package.json`,
      )
    }
  }
})

test('every import is among the dependencies of its package, and each dependency is imported', () => {
  let files = 0
  for (const { folder, name: self, dependencies, developmentDependencies } of packages) {
    const used = new Set<string>()
    for (const file of globSync(`${folder}/{src,bin}/**/*.{ts,tsx,js,mjs}`, { cwd: root })) {
      // Pages for recordings, whose libraries are installed elsewhere when something is recorded.
      if (file.includes('/client-libraries/pages/')) continue
      files++
      const isTest = /\.test\.ts$|\/testing\/|^tests\//.test(file)
      const allowed = [
        self,
        ...dependencies,
        ...(isTest ? [...developmentDependencies, ...rootDevelopmentDependencies] : []),
      ]
      for (const name of importedPackages(join(root, file))) {
        used.add(name)
        assert.ok(
          allowed.includes(name),
          `${file} imports ${name}, which ${folder}/package.json does not name`,
        )
      }
    }
    const unused = dependencies.filter(
      (name) => !used.has(name) && !usedWithoutImport.has(`${folder} ${name}`),
    )
    assert.deepEqual(unused, [], `${folder}/package.json names what nothing imports`)
  }
  assert.ok(files > 100, `only ${files} files were read`)
})

/** Dependencies that are there for another reason than an import; each says which. */
const usedWithoutImport = new Set([
  'clients/cli commander', // @commander-js/extra-typings needs it beside itself
])

test("every package's compiler references are its dependencies", () => {
  const compiled = packages.filter(({ folder }) => existsSync(join(root, folder, 'tsconfig.json')))
  const compiledFolders = compiled.map(({ folder }) => folder)
  for (const { folder, dependencies } of compiled) {
    const { references } = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8'))
    const referenced = (references as { path: string }[]).map(({ path }) =>
      relative(root, resolve(root, folder, path)),
    )
    const ours = dependencies.flatMap((name) => folderOf.get(name) ?? [])
    const expected = [...ours, ...(testsMayImport[folder] ?? [])].filter((other) =>
      compiledFolders.includes(other),
    )
    assert.deepEqual(referenced.sort(), expected.sort(), `${folder}/tsconfig.json`)
  }
  assert.deepEqual(
    packages
      .map(({ folder }) => folder)
      .filter((folder) => !compiledFolders.includes(folder))
      .sort(),
    ['clients/contract', 'tools/contract'],
  )
})

test('every folder opens with a README that says what it is', () => {
  const folders = [
    'libraries',
    'protocols',
    'services',
    'programs',
    'clients',
    'docs',
    ...packages.map(({ folder }) => folder),
  ]
  for (const folder of folders) {
    const text = readFileSync(join(root, folder, 'README.md'), 'utf8')
    assert.match(text, /^# .+\n\n[A-Z`].+/, `${folder}/README.md opens with a title and a sentence`)
  }
})
