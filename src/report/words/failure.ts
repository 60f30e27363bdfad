import { NoAnswerError } from "../../model/api.ts";
import { Failure } from "../../model/diagnostic.ts";
import { noAnswerText } from "../../model/diagnostics/calls.ts";
import { wordedDiagnostic } from "./diagnostics.ts";

// For programs that use the library: the message of a thrown error is a sentence.
Failure.messageOf = (diagnostic) => wordedDiagnostic(diagnostic).message;
NoAnswerError.messageOf = noAnswerText;
