import './theme.css'
import './parts/parts.css'
import { createRoot } from 'react-dom/client'
import { connect } from './api/store.ts'
import { App } from './app.tsx'
import { followServer } from './label/following.ts'

followServer()
connect()
createRoot(document.getElementById('root')!).render(<App />)
