import billing from '../locales/en/billing.json'
import { addEnglish } from '../add-texts.ts'

// Texts of billing.
addEnglish({ billing })
