import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { licences } from './scripts/licences.js'

export default defineConfig({
  root: 'src/web',
  plugins: [react(), licences()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the page's Content-Security-Policy allows files of this server, not data in style sheets
    modulePreload: { polyfill: false },
  },
})
