import delivery from '../locales/en/delivery.json'
import { addEnglish } from '../add-texts.ts'

// Texts about why a campaign delivers or does not.
addEnglish({ delivery })
