import guide from '../locales/en/guide.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the guide for new accounts.
addEnglish({ guide })
