import { testBackendConformance } from './backend-conformance.ts'
import { MemoryBackend } from './memory-backend.ts'

testBackendConformance('memory', async () => {
  const backend = new MemoryBackend()
  return { backend, again: () => backend.sharing(), remove: async () => undefined }
})
