import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'
import { addEnglish } from '../i18n/add-texts.ts'
import { en } from '../i18n/en.ts'
import { setUpI18n } from '../i18n/setup.ts'

await setUpI18n('en')
// Components are tested without the pages that bring their texts.
addEnglish(en)

afterEach(() => {
  cleanup()
  localStorage.clear()
})
