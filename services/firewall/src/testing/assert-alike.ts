import assert from 'node:assert/strict'

/**
 * A reply is of the form of an example: it has the same members with values of the same types. In `data`, where things lie by their
 * names, the first stands for all; where one of them has nothing, nothing can be said.
 *
 * @param where begins the path that a failure names
 */
export function assertAlike(example: unknown, real: unknown, where: string): void {
  if (Array.isArray(example) && Array.isArray(real)) {
    if (example.length > 0 && real.length > 0) assertAlike(example[0], real[0], `${where}[0]`)
    return
  }
  assert.equal(typeof example, typeof real, where)
  if (typeof example !== 'object' || example === null || real === null) return
  if (Object.keys(example).length === 0 || Object.keys(Object(real)).length === 0) return
  if (where.endsWith('.data') && isByName(example) && isByName(Object(real))) {
    assertAlike(Object.values(example)[0], Object.values(Object(real))[0], `${where}.{name}`)
    return
  }
  assert.deepEqual(Object.keys(example).sort(), Object.keys(Object(real)).sort(), where)
  for (const [name, value] of Object.entries(example)) {
    assertAlike(value, Reflect.get(Object(real), name), `${where}.${name}`)
  }
}

/** Whether every member is an object, as where objects lie by their names. */
function isByName(members: object): boolean {
  return Object.values(members).every((value) => typeof value === 'object' && !Array.isArray(value))
}
