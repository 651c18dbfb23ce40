import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'
import { loadFormTexts, setUpI18n } from '../i18n/setup.ts'

await setUpI18n('en')
await loadFormTexts()

afterEach(() => {
  cleanup()
  localStorage.clear()
})
