import help from '../locales/en/help.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the help.
addEnglish({ help })
