import operations from '../locales/en/operations.json'
import { addEnglish } from '../add-texts.ts'

addEnglish({ operations })
