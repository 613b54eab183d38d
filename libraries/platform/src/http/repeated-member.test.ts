import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatedMember } from './repeated-member.ts'

test('finds a member that comes again, wherever and however it is spelt', () => {
  const cases: [text: string, name: string | undefined][] = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":2,"a":{}}', 'a'],
    ['{ "a" : 1 ,\n"a" : 2 }', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\/":1,"/":2}', '/'],
    ['{"\\ud83d\\ude00":1,"\u{1F600}":2}', '\u{1F600}'],
    ['{"":1,"":2}', ''],
    ['{"\\\\":1,"\\\\":2}', '\\'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    ['[1,{"x":[{"a":1,"a":2}]}]', 'a'],
    ['{"x":{"y":{"a":1}},"x":2}', 'x'],
    ['{"a":[{"b":1},{"b":2}],"a":3}', 'a'],
    ['{"constructor":1,"constructor":2}', 'constructor'],
    ['{"hasOwnProperty":1,"toString":2,"toString":3}', 'toString'],
    ['{"a":{"a":{"a":1}},"b":["a","a"]}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":"\\"a\\":1,\\"a\\":2"}', undefined],
    ['{"a":"{\\"b\\":1","b":"}","c":",\\\\"}', undefined],
    ['{"a":1,"A":2,"a ":3}', undefined],
    ['{"constructor":1,"toString":2,"hasOwnProperty":3}', undefined],
    ['["a","a"]', undefined],
    ['"a"', undefined],
    ['0', undefined],
    ['{}', undefined],
  ]
  let ran = 0
  for (const [text, name] of cases) {
    JSON.parse(text)
    assert.equal(repeatedMember(text), name, text)
    ran++
  }
  assert.equal(ran, cases.length)
})

/** Objects as lists of their members, so that they can have one twice. */
interface Members {
  readonly members: readonly (readonly [name: string, value: Tree])[]
}
type Tree = string | number | readonly Tree[] | Members

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '"', '\\', '{', '\u2028', ''), tie('tree')), { maxLength: 4 })
      .map((members) => ({ members })),
  ),
}))

function isObject(tree: Tree): tree is Members {
  return typeof tree === 'object' && 'members' in tree
}

function textOf(tree: Tree): string {
  if (isObject(tree)) {
    return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)} :${textOf(value)}`).join(' ,')}}`
  }
  if (typeof tree === 'object') return `[${tree.map(textOf).join(', ')}]`
  return JSON.stringify(tree)
}

function hasRepeated(tree: Tree): boolean {
  if (!isObject(tree)) return typeof tree === 'object' && tree.some(hasRepeated)
  const names = new Set(tree.members.map(([name]) => name))
  return names.size < tree.members.length || tree.members.some(([, value]) => hasRepeated(value))
}

test('says of any JSON whether one of its objects has a member twice', () => {
  let repeated = 0
  fc.assert(
    fc.property(tree, (tree) => {
      const expected = hasRepeated(tree)
      if (expected) repeated++
      assert.equal(repeatedMember(textOf(tree)) !== undefined, expected)
    }),
    { numRuns: 2000 },
  )
  assert.ok(repeated > 50, `${repeated} had one`)
})

test('goes through a text of megabytes once, whatever is in it', () => {
  const size = 3_200_000
  const members = Array.from({ length: size / 10 }, (_, index) => `"m${index}":1`)
  const texts: Record<string, string> = {
    'one object of many members': `{${members.join(',')}}`,
    'objects within objects': `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
    'lists within lists': '['.repeat(size / 2) + ']'.repeat(size / 2),
    backslashes: `{"a":"${'\\\\'.repeat(size / 2)}"}`,
    'escaped quotation marks': `{"${'\\"'.repeat(size / 2)}":1}`,
    'one long text': `["${'x'.repeat(size)}"]`,
  }
  let ran = 0
  for (const [what, text] of Object.entries(texts)) {
    const start = performance.now()
    assert.equal(repeatedMember(text), undefined)
    // It takes tens of milliseconds; going through it for each of its parts would take minutes.
    assert.ok(performance.now() - start < 5_000, what)
    ran++
  }
  assert.equal(ran, 6)
})
