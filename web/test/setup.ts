import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach } from 'vitest'
import { rememberList } from '@/session/return-path'
import { forgetIdentity } from '@/session/identity'
import { setClock } from '@/lib/clock'
import { forgetPosition } from '@/data/position'
import { addEnglish } from '@/i18n/add-texts'
import { en } from '@/i18n/en'
import { setUpI18n } from '@/i18n/setup'

// A second is short on a machine with other work; what never comes still fails.
configure({ asyncUtilTimeout: 5000 })

await setUpI18n('en')
// Components are tested without the pages that bring their texts.
addEnglish(en)

afterEach(() => {
  cleanup()
  localStorage.clear()
  // What modules remember, which files share; messages would be shown again on the next page.
  forgetPosition()
  setClock(null)
  forgetIdentity()
  rememberList('/campaigns')
  toast.dismiss()
})
