import log from '../locales/en/log.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the change log and of comparisons.
addEnglish({ log })
