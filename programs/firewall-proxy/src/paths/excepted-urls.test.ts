import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exceptedUrls } from './excepted-urls.ts'
import { normalPaths } from './normal-path.ts'

test('URLs are left out however they are written, but for those that count all the same', () => {
  const isExcepted = exceptedUrls({
    exceptUrls: ['/größe/*', '/with%20blank', '/img/*'],
    urlsAllTheSame: ['/img/upload*'],
  })
  const excepted = (target: string) => isExcepted(normalPaths(target)[0])
  for (const target of ['/gr%C3%B6%c3%9fe/1', '/with%20blank', '/IMG/logo.png']) {
    assert.ok(excepted(target), target)
  }
  for (const target of ['/grosse/1', '/with', '/img/upload?x=1']) assert.ok(!excepted(target), target)
})
