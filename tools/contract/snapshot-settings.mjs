// Writes the types of what proxies are told of the firewall's features from the readers that these have: proxies import no service, and
// a feature says once, in its folder, what it tells them.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const firewall = join(root, 'services', 'firewall')
const file = join(root, 'protocols', 'proxy-protocol', 'src', 'settings.generated.ts')
const columnsMax = 150

/**
 * The text of the generated module: each type that a file of a feature exports by a name that begins with `Snapshot`, in the order of the
 * names.
 *
 * @throws Error for a member that is neither text, number, truth value, nor a list of these or of a type that is generated as well
 */
function settingsModule() {
  const files = globSync(join(firewall, 'src', 'features', '**', '*.ts')).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const program = ts.createProgram(files, optionsOf(join(firewall, 'tsconfig.json')))
  const checker = program.getTypeChecker()
  const types = files
    .flatMap((path) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path))))
    .filter(({ name, flags }) => name.startsWith('Snapshot') && (flags & ts.SymbolFlags.TypeAlias) !== 0)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const text = types.map((symbol) => declarationOf(symbol, new Set(types), checker)).join('\n')
  return `// Made from the readers of services/firewall by \`npm run contract\`.\n\n${text}`
}

/** @returns whether the module in the repository is the one that the readers give */
export function isCurrent() {
  return readFileSync(file, 'utf8') === settingsModule()
}

function optionsOf(tsconfig) {
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(tsconfig))
  return { ...options, noEmit: true, customConditions: ['source'] }
}

function declarationOf(symbol, generated, checker) {
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const doc = docOf(symbol, '', checker)
  const plain = plainText(type, checker)
  if (plain !== undefined) return `${doc}export type ${symbol.name} = ${plain}\n`
  const members = checker.getPropertiesOfType(type).toSorted(bySource)
  if (members.length === 0) throw new Error(`${symbol.name} has no members`)
  const texts = members.map((member) => memberText(member, symbol, generated, checker))
  return `${doc}export interface ${symbol.name} {\n${texts.join('')}}\n`
}

function memberText(member, of, generated, checker) {
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
  const type = checker.getTypeOfSymbol(member)
  const text = textOf(isOptional ? checker.getNonNullableType(type) : type, generated, checker)
  if (text === undefined) {
    throw new Error(`${of.name}.${member.name} is ${checker.typeToString(type)}, which is no setting`)
  }
  return `${docOf(member, '  ', checker)}  readonly ${member.name}${isOptional ? '?' : ''}: ${text}\n`
}

/** In the order of the sources: that of the checker changes with what it has seen before. */
function bySource({ declarations: [one] = [] }, { declarations: [other] = [] }) {
  const files = [one, other].map((declaration) => declaration?.getSourceFile().fileName ?? '')
  if (files[0] !== files[1]) return files[0] < files[1] ? -1 : 1
  return (one?.pos ?? 0) - (other?.pos ?? 0)
}

function textOf(type, generated, checker) {
  if (generated.has(type.aliasSymbol)) return type.aliasSymbol.name
  if (!checker.isArrayType(type)) return plainText(type, checker)
  const element = textOf(checker.getTypeArguments(type)[0], generated, checker)
  return element?.includes('|') ? `readonly (${element})[]` : element && `readonly ${element}[]`
}

/** @returns undefined for what is neither text, number nor truth value, nor one of several of these */
function plainText(type, checker) {
  if ((type.flags & ts.TypeFlags.Boolean) !== 0) return 'boolean'
  const parts = type.isUnion() ? type.types : [type]
  const plain = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike
  if (!parts.every(({ flags }) => (flags & plain) !== 0)) return undefined
  const texts = parts.map((part) => checker.typeToString(part).replaceAll('"', "'"))
  return texts.toSorted().join(' | ')
}

function docOf(symbol, indent, checker) {
  const lines = ts.displayPartsToString(symbol.getDocumentationComment(checker)).split('\n')
  const [first = ''] = lines
  if (first === '') return ''
  if (lines.length === 1 && `${indent}/** ${first} */`.length <= columnsMax)
    return `${indent}/** ${first} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

if (import.meta.main) writeFileSync(file, settingsModule())
