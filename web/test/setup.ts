import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'
import { rememberList } from '@/session/return-path'
import { forgetIdentity } from '@/session/identity'
import { setClock } from '@/lib/clock'
import { forgetPosition } from '@/data/position'
import { addEnglish } from '@/i18n/add-texts'
import { en } from '@/i18n/en'
import { setUpI18n } from '@/i18n/setup'
import { computedStyle } from './computed-style.ts'

window.getComputedStyle = computedStyle

// One second is too short on a busy machine; missing elements still fail.
configure({ asyncUtilTimeout: 20_000 })

await setUpI18n('en')
// Components are tested without the pages that import their texts.
addEnglish(en)

afterEach(() => {
  cleanup()
  // Files of one worker share the page: what one leaves replaced would mislead the next.
  vi.unstubAllGlobals()
  localStorage.clear()
  // Clears module state, which tests share; messages would appear again on the next page.
  forgetPosition()
  setClock(null)
  forgetIdentity()
  rememberList('/campaigns')
  toast.dismiss()
})
