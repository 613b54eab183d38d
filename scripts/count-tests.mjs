// A reporter for node:test that counts single tests; suites are left out, except one that failed by itself.
export default async function* countTests(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const { type, data } of events) {
    const isSuite = data?.details?.type === 'suite'
    if (type === 'test:pass' && !isSuite) counts[data.skip === undefined ? 'passed' : 'skipped']++
    if (type === 'test:fail' && (!isSuite || data.details.error?.failureType !== 'subtestsFailed'))
      counts.failed++
  }
  yield `${JSON.stringify(counts)}\n`
}
