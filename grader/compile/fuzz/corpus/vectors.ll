; ModuleID = '/v.cu'
source_filename = "/v.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float4 = type { float, float, float, float }

@_ZZ6matmulPKfPfE4tile = internal addrspace(3) global [16 x %struct.float4] undef, align 16

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z6matmulPKfPf(float* noundef %0, float* noundef %1) #0 !dbg !9 {
  %3 = alloca float*, align 8
  %4 = alloca float*, align 8
  %5 = alloca %struct.float4, align 16
  store float* %0, float** %3, align 8, !tbaa !13
  store float* %1, float** %4, align 8, !tbaa !13
  %6 = bitcast %struct.float4* %5 to i8*, !dbg !17
  call void @llvm.lifetime.start.p0i8(i64 16, i8* %6) #3, !dbg !17
  %7 = load float*, float** %3, align 8, !dbg !18, !tbaa !13
  %8 = bitcast float* %7 to %struct.float4*, !dbg !19
  %9 = bitcast %struct.float4* %5 to i8*, !dbg !19
  %10 = bitcast %struct.float4* %8 to i8*, !dbg !19
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %9, i8* align 16 %10, i64 16, i1 false), !dbg !19, !tbaa.struct !20
  %11 = bitcast %struct.float4* %5 to i8*, !dbg !23
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 bitcast (%struct.float4* getelementptr inbounds ([16 x %struct.float4], [16 x %struct.float4]* addrspacecast ([16 x %struct.float4] addrspace(3)* @_ZZ6matmulPKfPfE4tile to [16 x %struct.float4]*), i64 0, i64 3) to i8*), i8* align 16 %11, i64 16, i1 false), !dbg !23, !tbaa.struct !20
  %12 = bitcast %struct.float4* %5 to i8*, !dbg !24
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %12, i8* align 16 bitcast (%struct.float4* getelementptr inbounds ([16 x %struct.float4], [16 x %struct.float4]* addrspacecast ([16 x %struct.float4] addrspace(3)* @_ZZ6matmulPKfPfE4tile to [16 x %struct.float4]*), i64 0, i64 5) to i8*), i64 16, i1 false), !dbg !24, !tbaa.struct !20
  %13 = load float*, float** %4, align 8, !dbg !25, !tbaa !13
  %14 = bitcast float* %13 to %struct.float4*, !dbg !26
  %15 = bitcast %struct.float4* %14 to i8*, !dbg !27
  %16 = bitcast %struct.float4* %5 to i8*, !dbg !27
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %15, i8* align 16 %16, i64 16, i1 false), !dbg !27, !tbaa.struct !20
  %17 = bitcast %struct.float4* %5 to i8*, !dbg !28
  call void @llvm.lifetime.end.p0i8(i64 16, i8* %17) #3, !dbg !28
  ret void, !dbg !28
}

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #1

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #1

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx32,+sm_80" }
attributes #1 = { argmemonly nofree nosync nounwind willreturn }
attributes #2 = { argmemonly nofree nounwind willreturn }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!0}
!nvvm.annotations = !{!2}
!llvm.module.flags = !{!3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "/v.cu", directory: "")
!2 = !{void (float*, float*)* @_Z6matmulPKfPf, !"kernel", i32 1}
!3 = !{i32 7, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"wchar_size", i32 4}
!6 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"Debian clang version 14.0.6"}
!9 = distinct !DISubprogram(name: "matmul", scope: !10, file: !10, line: 2, type: !11, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!10 = !DIFile(filename: "/v.cu", directory: "")
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !{!14, !14, i64 0}
!14 = !{!"any pointer", !15, i64 0}
!15 = !{!"omnipotent char", !16, i64 0}
!16 = !{!"Simple C++ TBAA"}
!17 = !DILocation(line: 4, column: 3, scope: !9)
!18 = !DILocation(line: 4, column: 49, scope: !9)
!19 = !DILocation(line: 4, column: 16, scope: !9)
!20 = !{i64 0, i64 4, !21, i64 4, i64 4, !21, i64 8, i64 4, !21, i64 12, i64 4, !21}
!21 = !{!22, !22, i64 0}
!22 = !{!"float", !15, i64 0}
!23 = !DILocation(line: 5, column: 11, scope: !9)
!24 = !DILocation(line: 6, column: 7, scope: !9)
!25 = !DILocation(line: 7, column: 30, scope: !9)
!26 = !DILocation(line: 7, column: 3, scope: !9)
!27 = !DILocation(line: 7, column: 33, scope: !9)
!28 = !DILocation(line: 8, column: 1, scope: !9)
