/**
 * What the page of a challenge runs. It looks for a number `n` such that SHA-256(hex(SHA-256(riddle)) + n) begins with as many zero bits as
 * the riddle asks for, puts riddle and number into a cookie, and asks for the page again; what was sent, its
 * sender sends again. SHA-256 is written out, since browsers have
 * their own for pages over HTTPS alone.
 */
export const pageScript = `
const box = document.getElementById('palisade-challenge')
const { riddle, bits, cookie, method } = box.dataset
const say = (text) => { box.querySelector('[role=status]').textContent = text }
const primes = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
const fraction = (x) => ((x - Math.floor(x)) * 4294967296) | 0
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const W = new Int32Array(64)
function compress(state, block) {
  for (let t = 0; t < 16; t++) W[t] = (block[4 * t] << 24) | (block[4 * t + 1] << 16) | (block[4 * t + 2] << 8) | block[4 * t + 3]
  for (let t = 16; t < 64; t++) {
    const x = W[t - 15], y = W[t - 2]
    W[t] = (W[t - 16] + W[t - 7] + (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
      (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) | 0
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let t = 0; t < 64; t++) {
    const one = (h + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g)) + K[t] + W[t]) | 0
    const two = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0
  }
  return Int32Array.of(a + state[0], b + state[1], c + state[2], d + state[3], e + state[4], f + state[5], g + state[6], h + state[7])
}
function finish(state, text, before) {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  bytes[text.length] = 128
  new DataView(bytes.buffer).setUint32(bytes.length - 4, (before + text.length) * 8)
  for (let at = 0; at < bytes.length; at += 64) state = compress(state, bytes.subarray(at, at + 64))
  return state
}
const hex = (state) => Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
const prefix = compress(start, new TextEncoder().encode(hex(finish(start, riddle, 0))))
const wanted = Number(bits)
function go(n, how) {
  document.cookie = cookie + '=' + riddle + '.' + n + '; Path=/; Max-Age=600; SameSite=Lax' + (location.protocol === 'https:' ? '; Secure' : '')
  if (!document.cookie.includes(cookie + '=')) return say(box.dataset.cookies)
  how()
}
function work(n) {
  for (const end = n + 20000; n < end; n++) {
    if (Math.clz32(finish(prefix, String(n), 64)[0]) < wanted) continue
    if (method === 'GET') {
      say(box.dataset.done)
      return go(n, () => location.reload())
    }
    say(box.dataset.again)
    const button = box.querySelector('button')
    button.hidden = false
    go(n, () => button.addEventListener('click', () => history.back()))
    return
  }
  setTimeout(work, 0, n)
}
say(box.dataset.busy)
setTimeout(work, 50, 0)
`
