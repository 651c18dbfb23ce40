import controls from '../locales/en/controls.json'
import { addEnglish } from '../add-texts.ts'

// Texts of pickers, chips and uploads.
addEnglish({ controls })
