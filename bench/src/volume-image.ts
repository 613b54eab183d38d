import { createHash, randomFillSync } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs'

const mebibyte = 2 ** 20
const changedPieceBytes = 64 * 1024

/** Of each four mebibytes, two are zeros, one is text and one is random. */
export function makeImage(path: string, sizeBytes: number): void {
  const random = Buffer.alloc(mebibyte)
  const zeros = Buffer.alloc(2 * mebibyte)
  withFile(path, 'w', (file) => {
    for (let at = 0, turn = 0; at < sizeBytes; at += 4 * mebibyte, turn++) {
      writeSync(file, zeros)
      writeSync(file, compressibleText(turn))
      writeSync(file, randomFillSync(random))
    }
  })
}

/** Holes, with so many mebibytes of random bytes evenly scattered among them. */
export function makeSparseImage(path: string, sizeBytes: number, pieces: number): void {
  const random = Buffer.alloc(mebibyte)
  withFile(path, 'w', (file) => {
    ftruncateSync(file, sizeBytes)
    for (let piece = 0; piece < pieces; piece++) {
      // A position with a fraction would be taken for none.
      const at = Math.floor((sizeBytes / pieces) * piece)
      writeSync(file, randomFillSync(random), 0, mebibyte, at)
    }
  })
}

/**
 * Overwrites a hundredth of an image with random bytes: pieces of 64 KiB, evenly scattered, so that most chunks of
 * most programs have no more than one.
 *
 * @returns puts back what was there
 */
export function changeHundredth(path: string): () => void {
  const random = Buffer.alloc(changedPieceBytes)
  const stepBytes = changedPieceBytes * 100
  const before: { readonly at: number; readonly bytes: Buffer }[] = []
  withFile(path, 'r+', (file) => {
    for (let at = 0; at + changedPieceBytes <= statSync(path).size; at += stepBytes) {
      const bytes = Buffer.alloc(changedPieceBytes)
      readSync(file, bytes, 0, bytes.length, at)
      before.push({ at, bytes })
      writeSync(file, randomFillSync(random), 0, random.length, at)
    }
  })
  return () =>
    withFile(path, 'r+', (file) => {
      for (const { at, bytes } of before) writeSync(file, bytes, 0, bytes.length, at)
    })
}

function withFile(path: string, flags: string, work: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    work(file)
  } finally {
    closeSync(file)
  }
}

/** A mebibyte of lines of words in an order that the turn decides; compresses to about a third. */
function compressibleText(turn: number): Buffer {
  const words = [
    'volume',
    'revision',
    'restore',
    'chunk',
    'agent',
    'vault',
    'table',
    'sector',
    'block',
    'header',
  ]
  const text = Buffer.alloc(mebibyte)
  let at = 0
  for (let line = 0; at < mebibyte; line++) {
    const digits = createHash('md5').update(`${turn} ${line}`).digest()
    const sentence = [...digits].map((digit) => `${words[digit % words.length]}${digit}`).join(' ')
    at += text.write(`${line} ${sentence}\n`, at)
  }
  return text
}
