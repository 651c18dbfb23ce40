import invoices from '../locales/en/invoices.json'
import { addEnglish } from '../add-texts.ts'

// Texts of invoices.
addEnglish({ invoices })
