import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Passwords } from '@palisade/platform'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { completeContent } from '../objects/content.ts'
import { Snapshot } from '../objects/snapshot.ts'
import { users } from './users.ts'

test('a change without a password leaves it alone, also when another request has changed it meanwhile', async () => {
  const kinds = compileCatalogue(catalogue)
  const kind = (name: string) => {
    const kindOfName = kinds.get(name)
    assert.ok(kindOfName)
    return kindOfName
  }
  const snapshotWith = (password: string) => {
    const values = { name: 'olga', role: 'guest', password }
    const content = completeContent(kind('user'), { values })
    return Snapshot.factory(kinds).with([{ kind: kind('user'), path: ['olga'], content }], 1)
  }
  const userIn = (snapshot: Snapshot) => {
    const user = snapshot.object(kind('user'), ['olga'])
    assert.ok(user)
    return user
  }
  const system = () => {
    const systemObject = Snapshot.factory(kinds).object(kind('system'), [kind('system').title])
    assert.ok(systemObject)
    return systemObject
  }
  const { prepare, complete } = users({
    configuration: { kind, system },
    passwords: new Passwords(),
    now: () => 0,
  })
  const input = new Map([['email-address', 'olga@example.org']])
  const [earlier, later] = [snapshotWith('earlier hash'), snapshotWith('later hash')]
  const demand = { kind: kind('user'), section: undefined, given: input }
  const settled = await prepare?.({ ...demand, before: userIn(earlier), snapshot: earlier })
  assert.deepEqual(settled, {})

  const before = userIn(later)
  const completion = complete?.({
    ...demand,
    before,
    snapshot: later,
    path: ['olga'],
    content: before.content,
  })
  assert.equal(completion?.content?.values.password, 'later hash')
})
