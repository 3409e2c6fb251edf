// First, so that every part can differ from it.
import './theme.css'

import { createRoot } from 'react-dom/client'
import { connect } from './api/store.ts'
import { App } from './app.tsx'

connect()
createRoot(document.getElementById('root')!).render(<App />)
