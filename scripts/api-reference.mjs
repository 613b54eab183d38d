// Writes libraries/NAME/API.md out of what the compiler says of each entry point of the library: every export, its doc comment and its
// declaration. Needs a build. Fails when a declaration names a type that no entry point exports. `--check` writes nothing, and fails when
// the file is not what it would be.
//
//     node scripts/api-reference.mjs [--check] [NAME …]
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publishedLibraries, publishedManifest } from './published-libraries.mjs'
import { root } from './set-up.mjs'

/** @param {string} library such as `seclang` */
function apiReference(library) {
  const folder = join(root, 'libraries', library)
  const { name, exports } = publishedManifest(library)
  const entryPoints = Object.entries(exports).map(([path, { types }]) => ({
    specifier: join(name, path),
    exports: exportsOf(join(folder, types)),
  }))
  const lines = [
    `# The interface of ${name}`,
    '',
    'Every export of every entry point, with its doc comment and its declaration. This page is made from them: change those, build, and run',
    '`node scripts/api-reference.mjs` in the root of the repository.',
  ]
  for (const { specifier, exports } of entryPoints) {
    lines.push('', `## \`${specifier}\``)
    for (const { name, text, declaration } of exports) {
      lines.push('', `### ${name}`, '')
      if (text !== '') lines.push(text, '')
      lines.push('```ts', declaration, '```')
    }
  }
  return `${lines.join('\n')}\n`
}

/**
 * Types that the declarations of a library name and none of its entry points exports.
 *
 * @returns {string[]}
 */
function unnamedTypes(library) {
  const folder = join(root, 'libraries', library)
  const exportList = Object.values(publishedManifest(library).exports).flatMap(({ types }) =>
    exportsOf(join(folder, types)),
  )
  const exportedNames = new Set(exportList.map(({ name }) => name))
  const named = exportList.flatMap(({ declaration }) => {
    const code = declaration.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^']*'/g, '')
    const parameters = [...code.matchAll(/<(\w+)(?: extends [^>]+)?>\(/g)].map(([, parameter]) => parameter)
    return [...code.matchAll(/(?<![\w.#])[A-Z]\w*/g)]
      .map(([name]) => name)
      .filter((name) => !parameters.includes(name) && !new RegExp(`\\b(?:readonly )?${name}\\??:`).test(code))
  })
  return [...new Set(named)].filter(
    (name) => !exportedNames.has(name) && !(name in globalThis) && !builtIn.has(name),
  )
}

/** Types of TypeScript and Node that are no values. */
const builtIn = new Set([
  ...['Readonly', 'Record', 'Partial', 'Pick', 'Omit', 'Extract', 'Exclude', 'Iterable', 'AsyncIterable'],
  ...['Generator', 'AsyncGenerator', 'ReadonlyMap', 'ReadonlySet', 'PromiseLike', 'ErrorOptions'],
  ...['ArrayBufferLike', 'FileHandle', 'IterableIterator'],
])

/** What an entry point hands on, in its order. */
function exportsOf(entryPoint) {
  return statementsOf(entryPoint).flatMap(({ text, code }) => {
    const handedOn = /^export (type )?\{([\s\S]*)\} from '(.+)';$/.exec(code)
    if (handedOn === null) return code.startsWith('export ') ? [exported(text, code, false)] : []
    const [, type, names, path] = handedOn
    const declarations = new Map(
      exportsOf(join(dirname(entryPoint), path.replace(/\.ts$/, '.d.ts'))).map((one) => [one.name, one]),
    )
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => {
        const [, ofType, bare] = /^(type )?(\w+)$/.exec(name) ?? []
        const declaration = declarations.get(bare)
        if (declaration === undefined)
          throw new Error(`${entryPoint} hands on ${name}, which is not in ${path}`)
        return type || ofType
          ? { ...declaration, declaration: withoutConstructor(declaration.declaration) }
          : declaration
      })
  })
}

function exported(text, code) {
  const declaration = code.replace(/^export (declare )?/, '').replace(/^\s*#private;\n/m, '')
  const [, name] =
    /^(?:abstract )?(?:function\*?|class|interface|type|const|enum) (\w+)/.exec(declaration) ?? []
  if (name === undefined) throw new Error(`no name in: ${code}`)
  return { name, text, declaration }
}

/** Of a class that is handed on as a type only: nobody outside makes one. */
function withoutConstructor(declaration) {
  return declaration.replace(
    /(?:^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^ *(?:private )?constructor\([\s\S]*?\);\n/m,
    '',
  )
}

/** The statements of a declaration file as the compiler writes it, each with the text of the comment before it. */
function statementsOf(file) {
  const statements = []
  let comment = []
  let code = []
  let isComment = false
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (code.length === 0 && line.startsWith('/**')) {
      comment = []
      isComment = true
    }
    if (isComment) {
      comment.push(line)
      isComment = !line.endsWith('*/')
      continue
    }
    if (line === '' || line.startsWith('//')) continue
    code.push(line)
    if (!/[;}]$/.test(line) || depthOf(code.join('\n')) > 0) continue
    statements.push({ text: textOf(comment), code: code.join('\n') })
    comment = []
    code = []
  }
  return statements
}

function depthOf(code) {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|'[^']*'/g, '')
  return (bare.match(/[{([]/g) ?? []).length - (bare.match(/[})\]]/g) ?? []).length
}

/** A doc comment as Markdown: what a tag says becomes an item of a list. */
function textOf(comment) {
  const text = comment
    .join('\n')
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^ *\* ?/gm, '')
    .trim()
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
  const [description, ...tags] = text.split(/^@(?=\w)/m)
  const list = tags.map((tag) => {
    const [, kind, rest] = /^(\w+)\s+([\s\S]*)$/.exec(tag.trim()) ?? ['', tag.trim(), '']
    const [, name, more] = kind === 'param' ? (/^(\S+)\s*([\s\S]*)$/.exec(rest) ?? []) : []
    const label = { param: `\`${name}\``, returns: 'Returns', throws: 'Throws' }[kind] ?? kind
    return `- ${label}: ${(kind === 'param' ? more : rest).replace(/\s*\n\s*/g, ' ')}`
  })
  return [description.trim(), list.join('\n')].filter((part) => part !== '').join('\n\n')
}

function complain(text) {
  console.error(text)
  process.exitCode = 1
}

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
for (const library of names.length > 0 ? names : publishedLibraries) {
  const file = join(root, 'libraries', library, 'API.md')
  const text = apiReference(library)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    complain(`${file} is not what the declarations say: run node scripts/api-reference.mjs`)
  }
  const unnamed = unnamedTypes(library)
  if (unnamed.length > 0)
    complain(`${library} exports no type named ${unnamed.join(', ')}, though others name it`)
}
