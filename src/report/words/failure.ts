import { Failure } from "../../model/diagnostic.ts";
import { wordedDiagnostic } from "./diagnostics.ts";

// For programs that use the library: what is thrown says in words what is wrong.
Failure.messageOf = (diagnostic) => wordedDiagnostic(diagnostic).message;
