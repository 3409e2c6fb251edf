import { createRoot } from 'react-dom/client'
import { connect } from './api/store.ts'
import { App } from './app.tsx'
import { followServer } from './label/following.ts'
import './theme.css'

followServer()
connect()
createRoot(document.getElementById('root')!).render(<App />)
