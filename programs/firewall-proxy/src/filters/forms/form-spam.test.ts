import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forms, protectedForms } from '../../testing/protected-forms.ts'

const comments = '<form action="/comment" method="post"><textarea name="text"></textarea></form>'

/** How programs are kept from the form for comments. */
const keepingOut = (fillSeconds: number, isPassive = false) => ({
  csrf: 'none' as const,
  sealing: { ...forms, honeypot: 'contact_homepage' },
  more: {
    formSpam: {
      hasHoneypot: true,
      coversAll: false,
      forms: [{ name: 'comments', url: '/comment', fillSeconds, isPassive }],
    },
  },
})

test('programs that fill in a listed form are refused', async (t) => {
  const { visit, post, attacks, reached } = await protectedForms(t, comments, keepingOut(0))
  const { cookie, seal, page } = await visit()
  assert.match(
    page,
    /<\/textarea><input type="text" name="contact_homepage" value="" hidden="hidden" [^>]+\/><input/,
  )
  const text = 'hello'
  const good = await post('/comment', { text, contact_homepage: '', __ncforminfo: seal }, { cookie })
  assert.deepEqual([good.status, attacks(), reached.at(-1)?.body], [200, [], 'text=hello'])
  assert.equal((await post('/other', { text }, {})).status, 200)
  for (const [fields, headers] of [
    [{ text }, { cookie }],
    [
      { text, contact_homepage: '' },
      { cookie, 'sec-fetch-site': 'same-origin' },
    ],
    [{ text, __ncforminfo: seal }, {}],
    [{ text, contact_homepage: 'https://a.example', __ncforminfo: seal }, { cookie }],
  ] as const) {
    const { status } = await post('/comment', fields, headers)
    assert.deepEqual([status, attacks()], [403, ['form-spam']], JSON.stringify([fields, headers]))
  }
})

test('a form is refused that was filled in sooner than people do, or logged where its rule is Passive', async (t) => {
  for (const [isPassive, status] of [
    [false, 403],
    [true, 200],
  ] as const) {
    const { visit, post, attacks } = await protectedForms(t, comments, keepingOut(1024, isPassive))
    const { cookie, seal } = await visit()
    const answer = await post('/comment', { text: '', __ncforminfo: seal }, { cookie })
    assert.deepEqual([answer.status, attacks()], [status, ['form-spam']])
  }
})

test('forms that nobody has listed are protected where all are, by what their pages say', async (t) => {
  const { visit, post, attacks } = await protectedForms(t, comments, {
    ...keepingOut(0),
    more: { formSpam: { hasHoneypot: true, coversAll: true, forms: [] } },
  })
  const { cookie, seal } = await visit()
  assert.equal((await post('/comment', { text: 'x' }, {})).status, 200)
  const filled = { text: 'x', contact_homepage: 'x', __ncforminfo: seal }
  assert.equal((await post('/comment', filled, { cookie })).status, 403)
  assert.deepEqual(attacks(), ['form-spam'])
})

test('comments with links of advertisers are refused, in the parameters that are for comments alone', async (t) => {
  const spam = {
    name: 'markup',
    type: 'Spam URL List',
    regex: '\\[url=',
    isPassive: false,
    isCaseSensitive: false,
  }
  const { post, ask, attacks, reached } = await protectedForms(t, comments, {
    csrf: 'none',
    more: { commentSpam: { parameters: ['text'], patterns: [spam] } },
  })
  const link = '[URL=https://a.example]'
  assert.equal((await post('/comment', { other: link, text: 'fine' })).status, 200)
  const count = reached.length
  for (const name of ['text', 'TEXT', 'text[]']) {
    assert.equal((await post('/comment', { text: 'fine', [name]: link })).status, 403, name)
    assert.deepEqual(attacks(), ['spam-url-in-parameter'])
  }
  assert.equal((await ask(`/comment?text=${encodeURIComponent(link)}`)).status, 403)
  assert.equal(reached.length, count)
})
