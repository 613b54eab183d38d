import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Masking } from './masking.ts'

test('values of named parameters are overwritten, however the name is spelt', () => {
  const masking = new Masking(['password', 'card*', 'user[pin]'])
  for (const [query, masked] of [
    ['a=1&password=x&b=2', 'a=1&password=XXXXXXXX&b=2'],
    ['PassWord=x', 'PassWord=XXXXXXXX'],
    ['p%61ssword=x;cardNumber=4', 'p%61ssword=XXXXXXXX'],
    ['password=abc;secret&b=2', 'password=XXXXXXXX&b=2'],
    ['a=1;password=x', 'a=1;password=XXXXXXXX'],
    ['password[]=x&password%5B0%5D=x', 'password[]=XXXXXXXX&password%5B0%5D=XXXXXXXX'],
    ['login[password]=x&login.password=x', 'login[password]=XXXXXXXX&login.password=XXXXXXXX'],
    ['+password=x&%20password+%00=x', '+password=XXXXXXXX&%20password+%00=XXXXXXXX'],
    ['u=http://b/?password=x&c=3', 'u=http://b/?password=XXXXXXXX&c=3'],
    ['u=http%3A%2F%2Fb%2F%3Fa%3d1%26password%3dx', 'u=http%3A%2F%2Fb%2F%3Fa%3d1%26password%3dXXXXXXXX'],
    ['cards=x&my-cardigan=x', 'cards=XXXXXXXX&my-cardigan=x'],
    ['user%5Bpin%5D=1&user[name]=ann', 'user%5Bpin%5D=XXXXXXXX&user[name]=ann'],
    ['password=a=b', 'password=XXXXXXXX'],
    ['password=&password', 'password=&password'],
    ['%zz=1&password=%zz', '%zz=1&password=XXXXXXXX'],
  ] as const) {
    assert.equal(masking.address(query), masked)
  }
  assert.equal(masking.address('http://a/?password=x'), 'http://a/?password=XXXXXXXX')
  assert.equal(masking.address('http://a/;password=x#cardNumber=4'), 'http://a/;password=XXXXXXXX')
  assert.equal(masking.address('/shop;a=1/item'), '/shop;a=1/item')
})

test('a lone star masks every parameter', () => {
  assert.equal(new Masking(['*']).address('a=1&b=2'), 'a=XXXXXXXX&b=XXXXXXXX')
})

test('parameters whose names speak of a secret are masked although nobody named them', () => {
  const masking = new Masking([])
  const secrets = [
    ...['password', 'passwd', 'pwd', 'pass', 'passphrase', 'new_password', 'user[password]', 'j_password'],
    ...['token', 'access_token', 'refreshToken', 'id-token', 'csrf_token', 'secret', 'client_secret'],
    ...[
      'pass1',
      'user_pass',
      'passwort',
      'motDePasse',
      'senha',
      'X-Amz-Signature',
      'sig',
      'code_verifier',
      '_csrf',
    ],
    ...['subscription-key', 'ASP.NET_SessionId', 'security_code', 'assertion', 'accountKey_secret'],
    ...[
      'api_key',
      'apikey',
      'X-Api-Key',
      'authorization',
      'jwt',
      'otp',
      'pin',
      'credentials',
      'SAMLResponse',
    ],
    ...['card_number', 'cardNumber', 'cc-number', 'creditcard', 'cvv', 'cvc', 'iban', 'ssn', 'p%61ssword'],
  ]
  for (const name of secrets) {
    assert.equal(masking.address(`a=1&${name}=hush&b=2`), `a=1&${name}=XXXXXXXX&b=2`)
    assert.ok(!masking.maySee(`ARGS:${decodeURIComponent(name)}`), name)
  }
  const others = [
    ...[
      'q',
      'keyword',
      'compass',
      'tokens_max',
      'author',
      'passenger',
      'card',
      'cardigan',
      'spin',
      'company',
    ],
    ...[
      'sort_key',
      'monkey',
      'side',
      'pinned',
      'authors',
      'pander',
      'bypass',
      'trespass',
      'signatures',
      'zip_code',
    ],
  ]
  for (const name of others) {
    assert.equal(masking.address(`${name}=seen`), `${name}=seen`)
    assert.ok(masking.maySee(`ARGS:${name}`), name)
  }
  for (const target of ['REQUEST_URI', 'QUERY_STRING', 'REQUEST_HEADERS:Referer'])
    assert.ok(masking.maySee(target))
  for (const target of [
    'REQUEST_COOKIES:sid',
    'REQUEST_HEADERS:Authorization',
    'REQUEST_BODY',
    'XML:/*',
    'TX:1',
  ]) {
    assert.ok(!masking.maySee(target), target)
  }
})

test('what rules found is shown only where it cannot hold a masked value', () => {
  const masking = new Masking(['password'])
  for (const target of [
    'ARGS:user',
    'ARGS_NAMES:password',
    'REQUEST_HEADERS:User-Agent',
    'REQUEST_FILENAME',
  ]) {
    assert.ok(masking.maySee(target), target)
  }
  for (const target of [
    'ARGS:password',
    'ARGS:json.login.password',
    'ARGS:json.password.value',
    'ARGS:password[]',
    'ARGS:user[password]',
    'ARGS: password',
    'REQUEST_BODY',
    'REQUEST_URI',
    'QUERY_STRING',
    'TX:1',
    'REQUEST_HEADERS:Referer',
    'XML:/*',
    'ARGS',
  ]) {
    assert.ok(!masking.maySee(target), target)
  }
})

test('the longest addresses and names take no noticeable time', () => {
  const pieces = [
    '%25',
    '%',
    '\\u0061',
    '"',
    '":',
    '<a ',
    '=',
    'a=',
    '{a:',
    '%3D',
    'a&',
    '[.',
    ' :{',
    '\0',
    '%c0',
    "'  :",
    ';a',
  ]
  for (const masking of [new Masking([]), new Masking(['password', 'card*'])]) {
    for (const piece of pieces) {
      const text = `${piece.repeat(64_000 / piece.length)}passwordx`
      const started = performance.now()
      masking.address(text)
      masking.masks(text)
      masking.maySee(`ARGS:${text}`)
      assert.ok(performance.now() - started < 2_000, `${piece}: ${performance.now() - started} ms`)
    }
  }
})
