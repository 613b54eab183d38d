import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ContractDocument, kindsOf } from '@palisade/sdk'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const contract = new URL('../contract/openapi/firewall.json', import.meta.url)
const kindsFolder = new URL('dist/kinds/', import.meta.url)

/** Writes what forms of the firewall's settings are made of, out of its contract: a file for each kind of objects, and an index of all. */
function firewallKinds(): Plugin {
  return {
    name: 'firewall-kinds',
    buildStart() {
      const kinds = kindsOf(JSON.parse(readFileSync(contract, 'utf8')) as ContractDocument)
      const index = kinds.map(({ fields, sections, ...kind }) => ({
        ...kind,
        sections: Object.values(sections).map(({ title }) => title),
      }))
      rmSync(kindsFolder, { recursive: true, force: true })
      mkdirSync(kindsFolder, { recursive: true })
      writeFileSync(new URL('index.json', kindsFolder), JSON.stringify(index))
      for (const kind of kinds) writeFileSync(new URL(`${kind.name}.json`, kindsFolder), JSON.stringify(kind))
    },
  }
}

export default defineConfig({
  base: '/console/',
  plugins: [firewallKinds(), react()],
  build: {
    target: 'es2023',
    outDir: 'dist/site',
    // The content security policy allows files of this server alone, and no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
  },
})
