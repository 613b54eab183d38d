import { readFileSync } from 'node:fs'

/** One kind as the public specification files document it. */
export interface DocumentedKind {
  readonly name: string
  readonly operations: readonly { readonly method: string; readonly path: string }[]
  readonly members: readonly string[]
}

/** Reads documented-api.txt: a name, then indented lines of methods with a path, and of members after a colon. */
export function documentedKinds(): DocumentedKind[] {
  const text = readFileSync(new URL('documented-api.txt', import.meta.url), 'utf8')
  const blocks = text.split(/\n(?=\S)/).filter((block) => block !== '' && !block.startsWith('#'))
  return blocks.map((block) => {
    const [name = '', ...lines] = block.trimEnd().split('\n')
    const members = lines
      .filter((line) => line.startsWith('  : '))
      .flatMap((line) => line.slice(4).split(' '))
    const operations = lines
      .filter((line) => !line.startsWith('  : '))
      .flatMap((line) => {
        const [, methods = '', path = ''] = /^ {2}([A-Z ]+) (\/.*)$/.exec(line) ?? []
        return methods.split(' ').map((method) => ({ method, path }))
      })
    return { name, operations, members }
  })
}
