# A translation and a classification load no torch: it takes longer than they do.
execute_process(COMMAND ldd ${program} OUTPUT_VARIABLE libraries RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "ldd ${program} failed")
endif()
string(REGEX MATCH "lib(torch|c10)[^ \n]*" found "${libraries}")
if(found)
  message(FATAL_ERROR "${program} loads ${found}")
endif()
