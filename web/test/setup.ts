import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach } from 'vitest'
import { rememberList } from '../domain/return-path.ts'
import { forgetIdentity } from '../api/identity.ts'
import { forgetPosition } from '../api/position.ts'
import { addEnglish } from '../i18n/add-texts.ts'
import { en } from '../i18n/en.ts'
import { setUpI18n } from '../i18n/setup.ts'

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
  forgetIdentity()
  rememberList('/campaigns')
  toast.dismiss()
})
